/** The footnote of a table of such times. */
export const SANDBOX_TIMES = "times are the sandbox's own, UTC"
