// A headless Chromium, controlled by chromedriver over HTTP (W3C WebDriver).

import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';

const kElement = 'element-6066-11e4-a52e-4f735466cecf';
const kStartSeconds = 30;

async function call(base, method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: {'content-type': 'application/json'},
    body: method === 'POST' ? JSON.stringify(body ?? {}) : undefined,
  });
  const {value} = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
  return value;
}

// Starts chromedriver on a free port, which it prints.
async function startDriver(path) {
  const driver = spawn(path, ['--port=0'], {stdio: ['ignore', 'pipe', 'inherit']});
  const port = await new Promise((resolve, reject) => {
    let said = '';
    const late = setTimeout(
        () => reject(new Error('chromedriver does not start: ' + said)), kStartSeconds * 1000);
    driver.on('error', reject);
    driver.on('exit', (code) => reject(new Error(`chromedriver ended with ${code}: ${said}`)));
    driver.stdout.on('data', (data) => {
      said += data;
      const found = /started successfully on port (\d+)/.exec(said);
      if (found) {
        clearTimeout(late);
        resolve(Number(found[1]));
      }
    });
  });
  return {driver, base: `http://127.0.0.1:${port}`};
}

const kFlags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
];

export class Browser {
  static async start({chromium, chromedriver}) {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), 'berth-report-'));
    Object.assign(browser, await startDriver(chromedriver));
    try {
      const session = await call(browser.base, 'POST', '/session', {
        capabilities: {
          alwaysMatch: {
            browserName: 'chrome',
            'goog:loggingPrefs': {browser: 'ALL', performance: 'ALL'},
            'goog:chromeOptions':
                {binary: chromium, args: [...kFlags, `--user-data-dir=${browser.profile}`]},
          }
        }
      });
      browser.path = `/session/${session.sessionId}`;
      // Ignore the pages that Chromium opens at its start.
      await browser.open('about:blank');
      await browser.requests();
    } catch (error) {
      await browser.stop();
      throw error;
    }
    return browser;
  }
  async stop() {
    if (this.path) await this.send('DELETE', '').catch(() => {});
    const ended = new Promise((resolve) => this.driver.once('exit', resolve));
    this.driver.kill();
    await ended;
    rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
  }

  send(method, path, body) {
    return call(this.base, method, this.path + path, body);
  }
  // Sends a command of Chromium's own protocol.
  cdp(cmd, params = {}) {
    return this.send('POST', '/goog/cdp/execute', {cmd, params});
  }
  open(url) {
    return this.send('POST', '/url', {url});
  }
  // Runs a function, which may be async, in the page. Arguments and result are passed as JSON.
  run(code, ...args) {
    return this.send('POST', '/execute/sync', {script: `return (${code})(...arguments);`, args});
  }
  async find(css) {
    const found = await this.send('POST', '/element', {using: 'css selector', value: css});
    return found[kElement];
  }
  async hover(css, fractionX, fractionY = 0.5) {
    const box = await this.run((selector, x, y) => {
      const element = document.querySelector(selector);
      element.scrollIntoView({block: 'center'});
      const {left, top, width, height} = element.getBoundingClientRect();
      return {x: Math.round(left + width * x), y: Math.round(top + height * y)};
    }, css, fractionX, fractionY);
    await this.send('POST', '/actions', {
      actions: [{
        type: 'pointer',
        id: 'mouse',
        parameters: {pointerType: 'mouse'},
        actions: [{type: 'pointerMove', duration: 0, x: box.x, y: box.y}]
      }]
    });
  }
  // Presses keys one after the other in the focused element.
  async press(...keys) {
    await this.send('POST', '/actions', {
      actions: [{
        type: 'key',
        id: 'keys',
        actions: keys.flatMap((value) => [{type: 'keyDown', value}, {type: 'keyUp', value}])
      }]
    });
  }
  async focus(css) {
    await this.run((selector) => document.querySelector(selector).focus(), css);
  }
  async size(width, height = 900, mobile = false) {
    await this.cdp(
        'Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile});
    await pause(150);
  }
  async media(scheme, media = '') {
    await this.cdp(
        'Emulation.setEmulatedMedia',
        {media, features: [{name: 'prefers-color-scheme', value: scheme}]});
    await pause(100);
  }
  // The console messages since the last call, and the requests that left the page.
  async console() {
    return this.send('POST', '/se/log', {type: 'browser'});
  }
  async requests() {
    const entries = await this.send('POST', '/se/log', {type: 'performance'});
    return entries.map((entry) => JSON.parse(entry.message).message)
        .filter((message) => message.method === 'Network.requestWillBeSent')
        .map((message) => message.params.request.url);
  }
  // A screenshot of the page or of an element, as PNG bytes.
  async picture(clip = null) {
    const {data} = await this.cdp(
        'Page.captureScreenshot',
        {format: 'png', captureBeyondViewport: true, ...(clip ? {clip: {...clip, scale: 1}} : {})});
    return Buffer.from(data, 'base64');
  }
  async wholePage() {
    const {cssContentSize} = await this.cdp('Page.getLayoutMetrics');
    return this.picture({x: 0, y: 0, width: cssContentSize.width, height: cssContentSize.height});
  }
  async pdf() {
    const {data} = await this.cdp(
        'Page.printToPDF', {printBackground: false, paperWidth: 8.27, paperHeight: 11.69});
    return Buffer.from(data, 'base64');
  }
}

export const keys = {
  left: '\ue012',
  up: '\ue013',
  right: '\ue014',
  down: '\ue015',
  home: '\ue011',
  end: '\ue010',
  escape: '\ue00c',
  tab: '\ue004',
  enter: '\ue007',
  pageUp: '\ue00e',
};
export {pause};
