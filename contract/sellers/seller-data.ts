// What the law requires of a seller: name, address, telephone and contact.
import * as v from 'valibot'
import { email, nameText, orBlank, typed } from '#contract/rules.ts'
import { halfWidth } from '#contract/text/width.ts'

/** Longest name, address and hours of a seller, grapheme clusters. */
export const MAX_SELLER_NAME = 100
export const MAX_SELLER_ADDRESS = 200
export const MAX_SELLER_HOURS = 100
/** Longest telephone number as typed, with hyphens and spaces. */
const MAX_PHONE_TYPED = 40

/** 9 to 15 digits with single hyphens between them, or `+` before them. Full-width ones are folded, spaces go. */
export const phone = v.pipe(
  typed,
  v.maxLength(MAX_PHONE_TYPED, 'too_long'),
  v.transform((it) =>
    halfWidth(it)
      .replaceAll(/[‐−–ー―]/g, '-')
      .replaceAll(/\s/g, ''),
  ),
  v.nonEmpty('required'),
  v.regex(/^\+?\d(?:-?\d){8,14}$/, 'phone'),
)

export const sellerData = v.object({
  /** The name of a person, or the registered name of a company. */
  name: nameText(MAX_SELLER_NAME),
  address: nameText(MAX_SELLER_ADDRESS),
  phone,
  /** Where buyers write to; not the address of the account unless the creator types it. */
  email,
  /** When the telephone is answered; '' without one. */
  hours: orBlank(nameText(MAX_SELLER_HOURS)),
})
export type SellerData = v.InferOutput<typeof sellerData>

/** The same as a reply has it. */
export const sellerDataView = v.object({
  name: v.string(),
  address: v.string(),
  phone: v.string(),
  email: v.string(),
  hours: v.string(),
})
