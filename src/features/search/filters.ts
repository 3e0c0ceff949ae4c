// Filters of search results in the URL; unknown parameters are ignored.
import { MAX_QUERY } from '#contract/limits.ts'
import {
  searchMedia,
  type SearchMedia,
  type SearchPeriod,
  searchPeriods,
  type SearchType,
  searchTypes,
} from '#contract/search/search-choices.ts'

export interface Filters {
  readonly type?: SearchType
  readonly media?: SearchMedia
  readonly period?: SearchPeriod
}

export interface ResultSearch extends Filters {
  readonly q: string
  readonly tab?: 'people'
}

/** A parameter as text, since the router parses numbers in URLs, such as 2026. */
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

export function readResultSearch(given: Record<string, unknown>): ResultSearch {
  const among = <T extends string>(all: readonly T[], name: string) =>
    all.find((it) => it === textOf(given[name]))
  const tab = among(['people'], 'tab')
  const type = among(searchTypes, 'type')
  const media = among(searchMedia, 'media')
  const period = among(searchPeriods, 'period')
  return {
    q: Array.from(textOf(given['q']).trim()).slice(0, MAX_QUERY).join(''),
    ...(tab && { tab }),
    ...(type && { type }),
    ...(media && { media }),
    ...(period && { period }),
  }
}

export const filtersOf = ({ type, media, period }: ResultSearch): Filters => ({
  ...(type && { type }),
  ...(media && { media }),
  ...(period && { period }),
})
