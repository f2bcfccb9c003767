// What went wrong and can be told to a person; anything else is a mistake of this page.

/** A failure with a line for a person. */
export class Failure extends Error {}

/** What the server answered: the status (0 if no answer came), a code for the program, and the whole problem. */
export class ServerFailure extends Failure {
    constructor(status, code, message, problem = {}) {
        super(message);
        this.status = status;
        this.code = code;
        this.problem = problem;
    }
}
