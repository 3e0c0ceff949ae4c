// Bytes of a file with the readings of recognition, in browsers and on servers.

/** A number was read behind the end of the bytes. */
export class BytesEnd extends Error {}

/** Bytes that are read by offset. Numbers are unsigned; texts and parts end where the bytes end. */
export class Bytes {
  readonly #all: Uint8Array

  constructor(all: Uint8Array) {
    this.#all = all
  }

  get length(): number {
    return this.#all.length
  }

  /** The byte at an offset; undefined behind the end. */
  byte(at: number): number | undefined {
    return this.#all[at]
  }

  /** A big-endian number of up to eight bytes, as precise as numbers are. @throws BytesEnd */
  number(at: number, length: number): number {
    if (at + length > this.length) throw new BytesEnd()
    let value = 0
    for (let i = at; i < at + length; i++) value = value * 256 + (this.#all[i] ?? 0)
    return value
  }

  /** As `number`, with the lowest byte first. @throws BytesEnd */
  littleEndian(at: number, length: number): number {
    if (at + length > this.length) throw new BytesEnd()
    let value = 0
    for (let i = at + length - 1; i >= at; i--) value = value * 256 + (this.#all[i] ?? 0)
    return value
  }

  /** One character for each byte. */
  text(from: number, to: number): string {
    return String.fromCharCode(...this.#all.subarray(from, to))
  }

  /** The bytes as UTF-8, without a byte order mark. */
  utf8(from: number, to: number): string {
    return new TextDecoder().decode(this.#all.subarray(from, to))
  }

  /** Two lower-case digits for each byte. */
  hex(from: number, to: number): string {
    return Array.from(this.#all.subarray(from, to), (it) => it.toString(16).padStart(2, '0')).join('')
  }

  part(from: number, to: number): Bytes {
    return new Bytes(this.#all.subarray(from, to))
  }

  /** Offset of the next start code of MPEG (0, 0, 1); -1 when there is none. */
  startCode(from = 0): number {
    for (let at = this.#all.indexOf(1, from + 2); at >= 0; at = this.#all.indexOf(1, at + 1))
      if (this.#all[at - 1] === 0 && this.#all[at - 2] === 0) return at - 2
    return -1
  }
}
