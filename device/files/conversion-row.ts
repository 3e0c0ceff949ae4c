// Whether a media row has the picked file or the converted one.
import * as v from 'valibot'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Why a picked photo could not be converted on this device. */
export const conversionFailure = v.picklist([
  /** No decoder could read it. */
  'unconvertible',
  /** The page ended during the conversion several times, as happens where memory runs out. */
  'interrupted',
  /** The device has no room for the converted file beside the picked one. */
  'no_room',
])
export type ConversionFailure = v.InferOutput<typeof conversionFailure>

/** How the picked file is converted: `format` by its bytes (`heic`, `avif`, `jpg`, `png`, `webp`). */
const order = { format: v.string(), keepSize: v.boolean() }

/**
 * Whose bytes a media row has: those of the picked file (specification section 3: `file`), or of the file that is sent
 * (`fileConvert`, and with it `downloadReady`). `name`, `mime` and `size` are those of the same file as the bytes.
 */
export const conversion = v.variant('is', [
  /** The picked file is stored and has still to be converted; `tries` were begun. */
  v.object({ is: v.literal('pending'), ...order, tries: count }),
  v.object({ is: v.literal('failed'), ...order, why: conversionFailure }),
  /**
   * The file that is sent; `pickedSize` are the bytes of the picked file where that was another one. `stilled`: it is the
   * first frame of a moving picture whose other frames this device could not convert.
   */
  v.object({ is: v.literal('ready'), pickedSize: v.optional(count), stilled: v.optional(v.boolean()) }),
])
export type Conversion = v.InferOutput<typeof conversion>
