import { render } from "preact";
import { watchLogin } from "./api/session.ts";
import { App } from "./app/App.tsx";
import { watchLinks } from "./app/router.ts";
import { watchTexts } from "./app/texts.ts";
import { watchTheme } from "./app/theme.ts";
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";

watchTexts();
watchTheme();
watchLinks();
watchLogin();
const root = document.getElementById("app");
if (root) render(<App />, root);
