namespace Gateway.Interop.Browsers;

/// <summary>Debian's Chromium.</summary>
internal static class BrowserProgram
{
    public const string Path = "/usr/bin/chromium";

    /// <summary>What is missing, or null.</summary>
    public static string? Missing { get; } = File.Exists(Path)
        ? null
        : "chromium is not installed: apt-get install chromium (README, Tests)";
}
