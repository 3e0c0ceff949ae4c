// Names the place of a network address, by the operator's GeoIP database.
import { type CityResponse, open } from 'maxmind'

export interface Places {
  /** Country and city in Japanese, or null when nothing is known. */
  of(ip: string): string | null
}

export const noPlaces: Places = { of: () => null }

/** The operator named a file that is no place database. */
export class PlacesUnreadable extends Error {
  override readonly name = 'PlacesUnreadable'
}

/** Opens a GeoIP database (.mmdb of cities or countries); a newer file in its place is taken over by itself. */
export async function createPlaces(file: string): Promise<Places> {
  const kept = { watchForUpdates: true, watchForUpdatesNonPersistent: true }
  const reader = await open<CityResponse>(file, kept).catch((cause: unknown) => {
    const sentence = `環境変数 GEOIP_DB のファイル ${file} を読めません。.mmdb ファイルのパスにしてください。`
    throw new PlacesUnreadable(sentence, { cause })
  })
  return {
    of(ip) {
      // A server that listens on both kinds sees IPv4 in IPv6's clothes, which not every database knows.
      const found = reader.get(ip.replace(/^::ffff:(?=\d+\.)/i, ''))
      if (!found) return null
      const names = [found.country?.names, found.city?.names].map((it) => it?.ja ?? it?.en)
      return names.filter((it) => it !== undefined).join(' ') || null
    },
  }
}
