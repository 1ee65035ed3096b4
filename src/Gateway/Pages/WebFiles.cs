using System.Collections.Frozen;

namespace Gateway.Host.Pages;

/// <summary>The files that the build of the console has made, read once and kept: some hundred kilobytes, and no
/// descriptor afterwards.</summary>
internal sealed class WebFiles
{
    /// <summary>Names the files of this build: older ones may lie beside them.</summary>
    private const string List = "files.txt";

    private const string Index = "index.html";

    private readonly FrozenDictionary<string, WebFile> _files;

    private WebFiles(IEnumerable<WebFile> files) =>
        _files = files.ToFrozenDictionary(static file => file.Path, StringComparer.Ordinal);

    /// <summary>The page of all paths of the console.</summary>
    public WebFile Page => _files.GetValueOrDefault(Index) ?? FrontPage.File;

    /// <summary>False: the program was built without it.</summary>
    public bool HasConsole => _files.ContainsKey(Index);

    public WebFile? Find(string path) => _files.GetValueOrDefault(path);

    public static WebFiles Read(string folder)
    {
        var list = Path.Combine(folder, List);
        return new(File.Exists(list)
            ? File.ReadAllLines(list).Where(static path => path.Length > 0).Select(path => ReadFile(folder, path))
            : []);
    }

    private static WebFile ReadFile(string folder, string path)
    {
        var place = Path.Combine(folder, path);
        return new(path, File.ReadAllBytes(place))
        {
            Brotli = ReadIfAny(place + ".br"),
            Gzip = ReadIfAny(place + ".gz"),
        };
    }

    private static byte[]? ReadIfAny(string place) => File.Exists(place) ? File.ReadAllBytes(place) : null;
}
