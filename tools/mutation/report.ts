// Reports of StrykerJS: mutants, where they are, and whether a test noticed them.

export interface Mutant {
  readonly status: string
  readonly mutatorName: string
  readonly replacement?: string
  /** Lines and columns count from 1. */
  readonly location: { readonly start: Position; readonly end: Position }
}

interface Position {
  readonly line: number
  readonly column: number
}

/** The report of StrykerJS: every file that was tested in this run or an earlier one. */
export interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>
}

/** Whether no test noticed a mutant. */
export function isLeft({ status }: Mutant): boolean {
  return status === 'Survived' || status === 'NoCoverage'
}

/** Positions of mutants that survived the unit tests, in the form of StrykerJS, whose columns count from 0. */
export function survivorsOf(report: Report | undefined, files: readonly string[]): string[] {
  const positions = Object.entries(report?.files ?? {}).flatMap(([file, { mutants }]) =>
    files.includes(file) ? mutants.filter(isLeft).map((it) => `${file}:${positionOf(it)}`) : [],
  )
  return [...new Set(positions)]
}

/** Where a mutant is, in the form of StrykerJS, whose columns count from 0. */
export function positionOf({ location: { start, end } }: Pick<Mutant, 'location'>): string {
  return `${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`
}

/** Merges results: of survivors of the unit tests, those of the stories for the same source. */
export function withStories(report: Report, stories: Report | undefined): Report {
  const nameOf = (it: Mutant) => `${positionOf(it)} ${it.mutatorName} ${it.replacement ?? ''}`
  const files = Object.entries(report.files).map(([file, { source, mutants }]) => {
    const ofStories = stories?.files[file]
    const found = new Map(ofStories?.source === source ? ofStories.mutants.map((it) => [nameOf(it), it]) : [])
    const merged = mutants.map((it) => {
      const later = isLeft(it) ? found.get(nameOf(it)) : undefined
      return later && (later.status === 'Killed' || later.status === 'Timeout') ? later : it
    })
    return [file, { source, mutants: merged }] as const
  })
  return { files: Object.fromEntries(files) }
}
