using System.Text.Json;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Namespaces;

/// <summary>
/// Which URI each upstream's nodes had, over restarts: two upstreams may have one URI in common, and the order in which
/// they connect must not decide which machine a NodeId means. State: the least recently used first, at most
/// <see cref="UpstreamLimits.MaxUpstreamNamespaces"/> of an upstream. Those of a name that is no longer configured stay
/// until another takes their place; they hold no URI. Owner: <see cref="NamespaceClaims"/>, under its lock;
/// <see cref="Write"/> outside of it. Errors of the constructor: <see cref="InvalidOperationException"/>, because to go
/// on without the records could give one machine's NodeIds to another.
///</summary>
internal sealed partial class NamespaceRecords
{
    public const string FileName = "upstream-namespaces.json";

    private static readonly JsonSerializerOptions Indented =
        new(JsonSerializerDefaults.Web) { WriteIndented = true };

    private readonly string? _path;
    private HashSet<string> _configured = [];
    private bool _isRead;
    private readonly int _most;
    private readonly ILogger _log;
    private readonly Lock _writing = new();
    private readonly List<NamespaceRecord> _records = [];
    private int _version;
    private int _written;

    /// <param name="path">Null: nothing is kept over a restart.</param>
    /// <param name="upstreams">The configured names.</param>
    /// <param name="limits">How many are kept.</param>
    /// <param name="log">Told when the file cannot be written.</param>
    public NamespaceRecords(string? path, IEnumerable<string> upstreams, UpstreamLimits limits, ILogger log)
    {
        _path = path;
        _most = limits.MaxUpstreamNamespaces;
        _log = log;
        Configure(upstreams);
    }

    /// <summary>The file is read as soon as there is an upstream. Errors: those of the constructor.</summary>
    /// <param name="upstreams">The configured names from now on.</param>
    public void Configure(IEnumerable<string> upstreams)
    {
        HashSet<string> configured = [.. upstreams];
        if (configured.Count > 0 && !_isRead)
        {
            if (_path is not null && File.Exists(_path))
                _records.AddRange(Read(_path));
            _isRead = true;
        }

        _configured = configured;
    }

    /// <summary>With these the nodes of configured upstreams are served.</summary>
    public IEnumerable<string> Served => _records.Where(record => _configured.Contains(record.Upstream))
        .Select(static record => record.ServedAs);

    /// <summary>Null: none.</summary>
    public string? Find(string upstream, string uri) =>
        _records.Find(record => record.Upstream == upstream && record.Uri == uri)?.ServedAs;

    /// <summary>Whether other nodes of a configured upstream are served with that URI.</summary>
    public bool IsTaken(string servedAs, string upstream, string uri) => _records.Exists(record =>
        record.ServedAs == servedAs && _configured.Contains(record.Upstream) &&
        (record.Upstream != upstream || record.Uri != uri));

    /// <summary>Whether the URI begins as those do that another configured upstream's nodes get: none but that one's
    /// nodes are served with it, because clients take it for its name.</summary>
    public bool IsNamedAfterAnother(string uri, string upstream) => _configured.Any(other =>
        other != upstream && uri.StartsWith($"urn:gateway:{other}:", StringComparison.Ordinal));

    /// <summary>The claim has an index now: clients may keep NodeIds with its URI.</summary>
    public void Keep(NamespaceClaim claim)
    {
        var record = new NamespaceRecord(claim.Upstream, claim.Uri, claim.LocalUri);
        if (!_records.Contains(record))
            _version++;
        _records.RemoveAll(other => other.ServedAs == record.ServedAs ||
            (other.Upstream == record.Upstream && other.Uri == record.Uri));
        _records.Add(record);
        if (_records.Count(other => other.Upstream == record.Upstream) > _most)
            _records.Remove(_records.Find(other => other.Upstream == record.Upstream)!);
    }

    /// <summary>The records to write, and their version.</summary>
    public (int Version, NamespaceRecord[] Records) Snapshot() => (_version, [.. _records]);

    /// <summary>Does nothing where this or something newer is written.</summary>
    public void Write((int Version, NamespaceRecord[] Records) snapshot)
    {
        lock (_writing)
        {
            if (_path is null || snapshot.Version <= _written)
                return;
            try
            {
                // Whole: the next start refuses a file that it cannot read.
                WholeFile.Write(
                    _path, JsonSerializer.SerializeToUtf8Bytes(snapshot.Records, Indented), overwrite: true);
                _written = snapshot.Version;
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                NotWritten(_path, error.Message);
            }
        }
    }

    private static NamespaceRecord[] Read(string path)
    {
        try
        {
            var records = JsonSerializer.Deserialize<NamespaceRecord?[]>(File.ReadAllText(path), Indented) ?? [];
            if (Array.TrueForAll(records, one => one is { Upstream: not null, Uri: not null, ServedAs: not null }))
                return records!;
            throw new JsonException("a record lacks upstream, uri or servedAs");
        }
        catch (Exception error) when (error is JsonException or IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException(
                $"Pki:Path: '{Path.GetFullPath(path)}' says which upstream's nodes have which namespace, and cannot be "
                + $"read: {error.Message} Mend it, or delete it if no client keeps NodeIds", error);
        }
    }

    [LoggerMessage(5014, LogLevel.Warning,
        "{Path} cannot be written: after a restart two upstreams with one namespace may change places. {Why}")]
    private partial void NotWritten(string path, string why);
}
