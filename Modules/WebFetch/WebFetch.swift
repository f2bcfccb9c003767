public enum WebFetch {}
