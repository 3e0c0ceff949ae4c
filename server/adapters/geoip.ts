// Finds the geographic place of a network address in the operator's GeoIP database.
import { type CityResponse, open } from 'maxmind'

export interface Places {
  /** Country and city in Japanese or English; null when the database has neither. */
  of(ip: string): string | null
}

export const noPlaces: Places = { of: () => null }

/** The file that the operator named is not a GeoIP database. */
export class PlacesUnreadable extends Error {
  override readonly name = 'PlacesUnreadable'
}

/** Reads a GeoIP database (.mmdb of cities or countries), and reads it again when the file is replaced. */
export async function createPlaces(file: string): Promise<Places> {
  const options = { watchForUpdates: true, watchForUpdatesNonPersistent: true }
  const reader = await open<CityResponse>(file, options).catch((cause: unknown) => {
    const sentence = `環境変数 GEOIP_DB のファイル ${file} を読めません。.mmdb ファイルのパスにしてください。`
    throw new PlacesUnreadable(sentence, { cause })
  })
  return {
    of(ip) {
      // A server on both protocols receives IPv4 addresses mapped into IPv6, which not every database contains.
      const found = reader.get(ip.replace(/^::ffff:(?=\d+\.)/i, ''))
      if (!found) return null
      const names = [found.country?.names, found.city?.names].map((it) => it?.ja ?? it?.en)
      return names.filter((it) => it !== undefined).join(' ') || null
    },
  }
}
