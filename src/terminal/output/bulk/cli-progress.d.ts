declare module 'cli-progress' {
  export const Format: {
    readonly Formatter: (
      options: Readonly<Record<string, unknown>>,
      params: {
        readonly progress: number
        readonly eta: number
        /** The start time, in milliseconds since 1970. */
        readonly startTime: number
        readonly total: number
        readonly value: number
        readonly maxWidth: number
      },
      payload: Readonly<Record<string, string>>,
    ) => string
  }
}
