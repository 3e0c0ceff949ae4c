// A fixture of /dev/media: a small file with one property.
/** How many bytes a fixture may have at most. */
export const MAX_FIXTURE_BYTES = 50_000

export interface MediaFixture {
  /** Name of the file, unique. */
  readonly file: string
  /** First cell of the row of docs/media.md that it shows; absent for a property without a row. */
  readonly row?: string
  /** The property, in Japanese. */
  readonly name: string
  /** What every view shows of it, in Japanese. */
  readonly expected: string
  /**
   * Makes its bytes.
   * @param folder an empty folder for temporary files
   */
  readonly make: (folder: string) => Promise<Buffer> | Buffer
}
