import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './theme.ts';
import { takeToken } from './token.ts';

await takeToken();
applyTheme();
render(<App />, document.body);
