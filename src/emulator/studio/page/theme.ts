const STORED = 'luid-studio-theme';

export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export function readTheme(): Theme {
  const stored = localStorage.getItem(STORED) as Theme;
  return THEMES.includes(stored) ? stored : 'system';
}

export function applyTheme(theme: Theme = readTheme()): void {
  localStorage.setItem(STORED, theme);
  document.documentElement.dataset.theme = theme;
}
