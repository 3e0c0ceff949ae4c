// The form of a planted fault: a change, and the test that must fail.

export interface Fault {
  /** The wrong behaviour, in one sentence. */
  readonly name: string
  readonly file: string
  /** Text that is in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** Test files to run. */
  readonly tests: readonly string[]
  /** A part of the name of a test that must fail. */
  readonly caughtBy: string
}
