// Bytes without bytes: a run of a picked file, told by where it begins, and what became of it on its way.

/** A stand-in for a Blob: `size` bytes of file `of` from `from` on. Its type tells its content, also inside a form. */
export class Run extends Blob {
  readonly of: string
  readonly from: number
  readonly #size: number
  constructor(of: string, from: number, size: number) {
    super([], { type: `run/${of}/${from}/${size}` })
    this.of = of
    this.from = from
    this.#size = size
  }
  override get size(): number {
    return this.#size
  }
  override slice(start = 0, end = this.#size): Run {
    return new Run(this.of, this.from + start, Math.min(end, this.#size) - start)
  }
}

/** The run that a form carries. */
export function runOf(file: FormDataEntryValue | null): Run {
  const [, of = 'noise', from = '0', size = '0'] = file instanceof Blob ? file.type.split('/') : []
  return new Run(of, Number(from), Number(size))
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
