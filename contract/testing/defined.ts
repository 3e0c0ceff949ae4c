// A value that a test needs: its absence fails the test.

/**
 * The value, which must be there. `it ?? ''` instead lets a test go on with a value that means nothing.
 * @throws when the value is undefined or null
 */
export function defined<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null)
    throw new Error(`a value that the test needs is ${String(value)}`)
  return value
}
