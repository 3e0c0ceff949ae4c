// Bytes without bytes: a run of a picked file, told by where it begins, and what became of it on its way.

/** A stand-in for a Blob: `size` bytes of file `of` from `from` on. Its content is its position. */
export class Run {
  readonly of: string
  readonly from: number
  readonly size: number
  readonly type = ''
  constructor(of: string, from: number, size: number) {
    this.of = of
    this.from = from
    this.size = size
  }
  slice(start: number, end: number): Run {
    return new Run(this.of, this.from + start, Math.min(end, this.size) - start)
  }
}

/** What a server holds of an upload: only right while every run follows on the one before and none is spoilt. */
export class Pile {
  length = 0
  spoilt = false
  add(run: Run, id: string, size: number): void {
    if (run.of !== id || run.from !== this.length) this.spoilt = true
    this.length += size
  }
  digest(id: string): string {
    return this.spoilt ? `spoilt ${id}` : digestOf(id)
  }
}

/** The digest of a picked file, in the form `upload_digest[]` wants. */
export function digestOf(id: string): string {
  return `${id.replaceAll('-', '').padEnd(43, 'A')}=`
}
