// A planted fault: one small change of sound code, and the test that has to notice it.

export interface Fault {
  /** What goes wrong by it, in one sentence. */
  readonly name: string
  readonly file: string
  /** Text of the file; it is there exactly once. */
  readonly find: string
  readonly replace: string
  /** Test files that are run. */
  readonly tests: readonly string[]
  /** Words of the name of a test that has to fail. */
  readonly caughtBy: string
}
