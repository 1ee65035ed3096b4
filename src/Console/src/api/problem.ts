/** An error of the API as RFC 9457 has it, with the gateway's own member. */
export interface Problem {
  title: string;
  status: number;
  statusCode?: string;
  detail?: string;
}

/** A request that the gateway refused or could not serve. */
export class ApiError extends Error {
  constructor(
    readonly problem: Problem,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(problem.detail ? `${problem.title}: ${problem.detail}` : problem.title);
    this.name = "ApiError";
  }

  get status(): number {
    return this.problem.status;
  }
}

/** Something that the user gave does not fit; the message says what is expected. */
export class InputError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "InputError";
  }
}

/** The gateway did not answer at all, or not to the end. */
export class NoAnswerError extends Error {
  constructor() {
    super("The gateway does not answer");
    this.name = "NoAnswerError";
  }
}

export async function problemOf(answer: Response): Promise<ApiError> {
  const problem: Problem = { title: `The gateway answered ${answer.status}`, status: answer.status };
  const type = answer.headers.get("Content-Type") ?? "";
  if (type.includes("json")) {
    try {
      Object.assign(problem, await answer.json());
    } catch {
      // The status alone says what is known.
    }
  }
  const retry = Number(answer.headers.get("Retry-After"));
  return new ApiError(problem, Number.isFinite(retry) && retry > 0 ? retry : null);
}

export interface Words {
  what: string;
  remedy: string | null;
}

/** An error in words, and what the reader can do. */
export function inWords(error: unknown): Words {
  if (error instanceof NoAnswerError)
    return {
      what: "The gateway does not answer.",
      remedy: "Check that it runs and that the network reaches it. This page tries again by itself.",
    };
  if (error instanceof InputError) return { what: error.message, remedy: null };
  if (!(error instanceof ApiError)) return { what: "Something went wrong in this page.", remedy: "Reload it." };
  const { title, detail } = error.problem;
  const what = `${title}${detail ? `: ${detail}` : ""}.`.replace(/\.\.$/, ".");
  return { what, remedy: remedyOf(error) };
}

function remedyOf(error: ApiError): string | null {
  switch (error.status) {
    case 401:
      return "Log in again.";
    case 403:
      return "Your roles do not allow this. Ask an administrator, or log in as another user.";
    case 404:
      return "It may have gone meanwhile.";
    case 409:
      return null;
    case 429:
    case 503:
      return error.retryAfterSeconds
        ? `Try again in ${Math.ceil(error.retryAfterSeconds)} s.`
        : "Try again in a moment.";
    default:
      return null;
  }
}
