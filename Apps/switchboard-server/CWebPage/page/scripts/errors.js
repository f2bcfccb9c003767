// Errors with a message for users. Any other error is a bug of the page.

/** An error with a message for users. */
export class UserError extends Error {}

/** An error response: the status (0 without a response), the error code and the problem document. */
export class ServerError extends UserError {
    constructor(status, code, message, problem = {}) {
        super(message);
        this.status = status;
        this.code = code;
        this.problem = problem;
    }
}
