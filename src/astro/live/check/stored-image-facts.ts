import type { Storage } from 'unstorage';
import { FACT_FOLDERS, factPurpose } from '../../../images/assets/fact-folders.ts';
import { StoredFactReader } from '../../../images/assets/stored-fact-reader.ts';
import { type ImageInfo, knownDimensions } from '../../../images/dimensions/known-dimensions.ts';
import type { ImagePlaceholder } from '../../../models/field-types/media.ts';
import { openDecrypter, openSigner } from '../../../replica/content/web-crypto.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { ImageFactReaders } from '../../collection/make/space-images.ts';

export interface StoredImageFacts extends ImageFactReaders {
  /** Whether something is known of images by now that was not known when their entries were made. */
  findMissing(): Promise<boolean>;
}

/** Facts about images for a server that makes no requests to them. `apiKeys`: those that they may be stored with. */
export function storedImageFacts(
  storage: Storage,
  apiKeys: readonly string[],
  logger: Logger,
): StoredImageFacts {
  const dimensions = new StoredFactReader<ImageInfo>({
    storage,
    folder: FACT_FOLDERS.dimensions,
    open: opener(apiKeys, FACT_FOLDERS.dimensions),
    onKnown: (url, image) => knownDimensions().set(url, image),
  });
  const placeholders = new StoredFactReader<ImagePlaceholder>({
    storage,
    folder: FACT_FOLDERS.placeholders,
    open: opener(apiKeys, FACT_FOLDERS.placeholders),
  });
  return {
    dimensions: async () => dimensions,
    placeholders: async () => placeholders,
    async findMissing() {
      const found = await Promise.all([dimensions, placeholders].map((facts) => facts.findMissing(logger)));
      return found.includes(true);
    },
  };
}

/** Reads what `openFactCache` has stored, with what the web platform has. */
function opener(apiKeys: readonly string[], folder: string) {
  const keys = apiKeys.map(async (apiKey) => ({
    decrypt: await openDecrypter(apiKey),
    signer: await openSigner(apiKey, factPurpose(folder)),
  }));
  return async (name: string, stored: string): Promise<string | undefined> => {
    for (const key of keys) {
      const { decrypt, signer } = await key;
      const body = await decrypt(stored);
      const content = typeof body === 'string' ? body : new TextDecoder().decode(body);
      if (await signer.verify(content, name)) return content;
    }
    return undefined;
  };
}
