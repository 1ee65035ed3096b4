namespace Gateway.Interop.Browsers;

/// <summary>Debian's Chromium. The one without a window at all costs a third of the processor time, where it is there.
/// </summary>
internal static class BrowserProgram
{
    private const string Chromium = "/usr/bin/chromium";
    private const string HeadlessShell = "/usr/bin/chromium-headless-shell";

    public static string Path { get; } = File.Exists(HeadlessShell) ? HeadlessShell : Chromium;

    /// <summary>What is missing, or null.</summary>
    public static string? Missing { get; } = File.Exists(Path)
        ? null
        : "chromium is not installed: apt-get install chromium-headless-shell, or chromium (README, Tests)";
}
