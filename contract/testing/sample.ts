// A part of a long table of test cases.

/** Every `step`th of these cases, from the `first`th (from 0) on. */
export const everyNth = <T>(cases: readonly T[], step: number, first: number): readonly T[] =>
  cases.filter((_, i) => i % step === first % step)
