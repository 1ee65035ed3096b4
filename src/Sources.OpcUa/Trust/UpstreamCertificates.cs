using System.Text.Json;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Trust;

/// <summary>
/// The certificate that each upstream had, over restarts: one that has changed is held back, also where an authority
/// vouches for it, until an operator accepts it. Those of names that are no longer configured go. Errors of the
/// constructor: <see cref="InvalidOperationException"/>, because to go on without the file would accept any change.
/// Threads: any.
/// </summary>
internal sealed partial class UpstreamCertificates
{
    public const string FileName = "upstream-certificates.json";

    private static readonly JsonSerializerOptions Indented =
        new(JsonSerializerDefaults.Web) { WriteIndented = true };

    private readonly string _path;
    private readonly ILogger _log;
    private readonly Lock _lock = new();
    private readonly Dictionary<string, UpstreamCertificateRecord> _records = new(StringComparer.Ordinal);

    /// <param name="path">Of the file.</param>
    /// <param name="log">Told when the file cannot be written.</param>
    public UpstreamCertificates(string path, ILogger log)
    {
        (_path, _log) = (path, log);
        if (!File.Exists(path))
            return;
        foreach (var record in Read(path))
            _records[record.Upstream] = record;
    }

    /// <summary>Null: it has not been connected yet.</summary>
    public UpstreamCertificateRecord? Find(string upstream)
    {
        lock (_lock)
            return _records.GetValueOrDefault(upstream);
    }

    /// <summary>These are configured now.</summary>
    public void Configure(IEnumerable<string> upstreams)
    {
        var configured = upstreams.ToHashSet(StringComparer.Ordinal);
        Change(records =>
        {
            foreach (var name in records.Keys.Where(name => !configured.Contains(name)).ToList())
                records.Remove(name);
        });
    }

    /// <summary>From now on this is what it has to show.</summary>
    public void Accept(string upstream, string thumbprint)
    {
        if (Find(upstream) is { Held: null } known && known.Trusted == thumbprint)
            return;
        Change(records => records[upstream] = new UpstreamCertificateRecord(upstream, thumbprint));
    }

    public void Hold(string upstream, string thumbprint, bool wasTrusted)
    {
        // One that is held already keeps its first word: it may have been trusted meanwhile.
        if (Find(upstream) is not { } known || known.Held == thumbprint)
            return;
        Change(records => records[upstream] = known with { Held = thumbprint, WasTrusted = wasTrusted });
    }

    /// <summary>An operator has trusted it by name: accepted for each upstream that it is held back for.</summary>
    public void OnTrustedByOperator(string thumbprint)
    {
        List<string> waiting;
        lock (_lock)
            waiting = [.. _records.Values.Where(one => one.Held == thumbprint).Select(static one => one.Upstream)];
        foreach (var upstream in waiting)
            Accept(upstream, thumbprint);
    }

    private void Change(Action<Dictionary<string, UpstreamCertificateRecord>> change)
    {
        lock (_lock)
        {
            var before = _records.Values.ToHashSet();
            change(_records);
            if (before.SetEquals(_records.Values))
                return;
            try
            {
                WholeFile.Write(
                    _path, JsonSerializer.SerializeToUtf8Bytes(_records.Values, Indented), overwrite: true);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                NotWritten(_path, error.Message);
            }
        }
    }

    private static UpstreamCertificateRecord[] Read(string path)
    {
        try
        {
            var records = JsonSerializer.Deserialize<UpstreamCertificateRecord?[]>(
                File.ReadAllText(path), Indented) ?? [];
            if (Array.TrueForAll(records, static one => one is { Upstream: not null, Trusted: not null }))
                return records!;
            throw new JsonException("a record lacks upstream or trusted");
        }
        catch (Exception error) when (error is JsonException or IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException(
                $"Pki:Path: '{Path.GetFullPath(path)}' says which certificate each upstream had, and cannot be read: "
                + $"{error.Message} Mend it, or delete it: then each upstream's next trusted certificate counts",
                error);
        }
    }

    [LoggerMessage(5624, LogLevel.Warning,
        "{Path} cannot be written: after a restart a changed certificate of an upstream may not be noticed. {Why}")]
    private partial void NotWritten(string path, string why);
}
