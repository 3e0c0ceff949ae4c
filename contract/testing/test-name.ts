// A value as part of a test's name: short, however long the value is.

const LONGEST = 80

/** JSON of a value, cut after 80 characters. */
export function shownIn(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`
}
