namespace Gateway.Tests.Pages;

/// <summary>A small console as the build leaves it: one file of each kind, with and without compressed forms.</summary>
internal sealed class ConsoleFolder : IDisposable
{
    public const string Html = "<!doctype html><title>Console</title>";
    public const string Script = "export const answer = 42;";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("console-");

    private ConsoleFolder()
    {
        Directory.CreateDirectory(System.IO.Path.Combine(Path, "assets"));
        Write("index.html", Html);
        Write("favicon.svg", "<svg/>");
        Write("assets/index-1.js", Script);
        Write("assets/index-1.js.br", "by brotli");
        Write("assets/index-1.js.gz", "by gzip");
        Write("assets/index-0.js", "of an older build");
        Write("files.txt", "assets/index-1.js\nfavicon.svg\nindex.html\n");
    }

    public static ConsoleFolder Make() => new();

    public string Path => _folder.FullName;

    public void Dispose() => _folder.Delete(recursive: true);

    private void Write(string name, string text) => File.WriteAllText(System.IO.Path.Combine(Path, name), text);
}
