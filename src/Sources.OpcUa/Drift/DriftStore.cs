using System.Globalization;
using System.Text.Json;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Drift;

/// <summary>
/// The remembered models over restarts: one file an upstream, in a folder of the PKI folder, of some megabytes at most.
/// A file that cannot be read is none: then the guard begins with what is there, and says so. One that cannot be
/// written is kept in memory. Threads: one an upstream.
/// </summary>
/// <param name="folder">Null: nothing is kept over a restart.</param>
/// <param name="log">Told when a file cannot be read or written.</param>
internal sealed partial class DriftStore(string? folder, ILogger log)
{
    public const string FolderName = "upstream-models";

    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web);

    private readonly ILogger _log = log;
    private readonly Dictionary<string, RememberedModel> _kept = [];

    /// <summary>Null: nothing is known of it.</summary>
    public RememberedModel? Read(string upstream)
    {
        lock (_kept)
        {
            if (_kept.TryGetValue(upstream, out var kept))
                return kept;
        }

        if (folder is null || PathOf(upstream) is var path && !File.Exists(path))
            return null;
        try
        {
            using var file = File.OpenRead(path);
            var model = JsonSerializer.Deserialize<RememberedModel>(file, Json);
            return model is { Namespaces: not null, Nodes: not null, Aliases: not null, Scope: not null } &&
                model is { Counts: not null, Changes: not null } &&
                model.Upstream == upstream && Array.TrueForAll(model.Nodes, IsWhole) &&
                Array.TrueForAll(model.Changes, static one => one is { Node: not null, Was: not null, Is: not null }) &&
                Array.TrueForAll(model.Aliases, static one => one is { Was: not null, Is: not null })
                ? model
                : throw new JsonException("it is not whole");
        }
        catch (Exception error) when (error is JsonException or IOException or UnauthorizedAccessException)
        {
            NotRead(upstream, path, error.Message);
            return null;
        }
    }

    public void Write(RememberedModel model)
    {
        try
        {
            if (folder is not null)
            {
                Directory.CreateDirectory(folder);
                WholeFile.Write(
                    PathOf(model.Upstream), JsonSerializer.SerializeToUtf8Bytes(model, Json), overwrite: true);
                lock (_kept)
                    _kept.Remove(model.Upstream);
                return;
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            NotWritten(model.Upstream, PathOf(model.Upstream), error.Message);
        }

        lock (_kept)
            _kept[model.Upstream] = model;
    }

    /// <summary>A name is no file name: it may have any characters.</summary>
    private string PathOf(string upstream) => Path.Combine(
        folder ?? "",
        TextDigest.Add(TextDigest.Seed, upstream).ToString("x16", CultureInfo.InvariantCulture) + ".json");

    private static bool IsWhole(RememberedNode one) =>
        one is { Id: not null, Name: not null, Path: not null, Facts: not null };

    [LoggerMessage(5070, LogLevel.Warning,
        "Upstream {Upstream}: {Path} has the model that it had, and cannot be read: what has changed before now is not "
            + "told. {Why}")]
    private partial void NotRead(string upstream, string path, string why);

    [LoggerMessage(5071, LogLevel.Warning,
        "Upstream {Upstream}: {Path} cannot be written: a change of its model while the gateway is stopped will not be "
            + "told. {Why}")]
    private partial void NotWritten(string upstream, string path, string why);
}
