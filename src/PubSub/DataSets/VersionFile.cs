using System.Text.Json;
using Gateway.Codec.Structures;
using Gateway.Store.Files;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.DataSets;

/// <summary>
/// Versions of data sets that outlive the process: where the fields come back, so does their version, and subscribers
/// can go on with the metadata that they have, also for messages that waited in the store meanwhile. Within a process
/// versions only rise. Shape:
/// <c>{ "data set": [ { "Fields": hash, "Major": n, "Minor": n } … ] }</c>, the newest last. A file that cannot be read
/// or written costs this alone: versions are then new. Owner: the service. Threads: any.
/// </summary>
/// <param name="path">Of the file.</param>
/// <param name="logger">Tells once that the file cannot be used.</param>
public sealed partial class VersionFile(string path, ILogger logger)
{
    /// <summary>Layouts of one data set: while upstreams connect one after the other, there are several.</summary>
    private const int MaxLayouts = 32;

    private readonly Lock _lock = new();
    private readonly string _path = Path.GetFullPath(path);
    private readonly HashSet<Known> _isOwn = new(ReferenceEqualityComparer.Instance);
    private Dictionary<string, List<Known>>? _all;
    private bool _isTold;

    /// <summary>Of a layout with these fields in an earlier process; null: it is not known.</summary>
    /// <param name="dataSet">Its name.</param>
    /// <param name="fields">Their hash.</param>
    public ConfigurationVersionDataType? Find(string dataSet, string fields)
    {
        lock (_lock)
        {
            return Of(dataSet).Find(one => one.Fields == fields) is { } known && !_isOwn.Contains(known)
                ? new ConfigurationVersionDataType { MajorVersion = known.Major, MinorVersion = known.Minor }
                : null;
        }
    }

    /// <summary>The largest number of all versions; 0: there is none.</summary>
    public uint Newest(string dataSet)
    {
        lock (_lock)
            return Of(dataSet).Select(static one => Math.Max(one.Major, one.Minor)).DefaultIfEmpty().Max();
    }

    public void Keep(string dataSet, string fields, ConfigurationVersionDataType version)
    {
        lock (_lock)
        {
            var known = Of(dataSet);
            if (known.Count > 0 && known[^1].Fields == fields)
                return;
            if (known.FindIndex(one => one.Fields == fields) is >= 0 and var at)
                Forget(known, at);
            known.Add(new Known(fields, version.MajorVersion, version.MinorVersion));
            _isOwn.Add(known[^1]);
            if (known.Count > MaxLayouts)
                Forget(known, 0);
            try
            {
                WholeFile.Replace(_path, file => JsonSerializer.Serialize(file, _all));
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                Tell(error);
            }
        }
    }

    private void Forget(List<Known> known, int at)
    {
        _isOwn.Remove(known[at]);
        known.RemoveAt(at);
    }

    private List<Known> Of(string dataSet)
    {
        _all ??= Load();
        if (!_all.TryGetValue(dataSet, out var known))
            _all.Add(dataSet, known = []);
        return known;
    }

    private Dictionary<string, List<Known>> Load()
    {
        try
        {
            if (File.Exists(_path))
                return JsonSerializer.Deserialize<Dictionary<string, List<Known>>>(File.ReadAllBytes(_path)) ?? [];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or JsonException)
        {
            Tell(error);
        }

        return [];
    }

    private void Tell(Exception error)
    {
        if (!_isTold)
            LogUnusable(logger, _path, error.Message);
        _isTold = true;
    }

    [LoggerMessage(6011, LogLevel.Warning,
        "PubSub: {Path} cannot be used, versions of data sets will be new after a restart: {Error}")]
    private static partial void LogUnusable(ILogger logger, string path, string error);

    private sealed record Known(string Fields, uint Major, uint Minor);
}
