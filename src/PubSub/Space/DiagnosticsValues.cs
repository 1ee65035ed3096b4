using System.Collections.Concurrent;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.PubSub.Space;

/// <summary>Counters as the standard shows them: from the last Reset on, with their totals. The gateway's own counters,
/// those of metrics, go on. Threads: any.</summary>
internal sealed class DiagnosticsValues
{
    private readonly ConcurrentDictionary<string, uint> _resetAt = new(StringComparer.Ordinal);

    /// <summary>By the key of a diagnostics object.</summary>
    public IReadOnlyDictionary<string, DiagnosticsParts> Objects { get; set; } =
        new Dictionary<string, DiagnosticsParts>();

    /// <summary>Counters that have no value are 0.</summary>
    /// <param name="values">With the counters as they are; afterwards as they are shown.</param>
    public void Complete(Dictionary<string, Variant> values)
    {
        foreach (var (key, parts) in Objects)
        {
            var (information, error) = (0U, 0U);
            foreach (var counter in parts.Counters)
            {
                var its = KeyOf(key, counter);
                var shown = SinceReset(its, values.GetValueOrDefault(its).AsUInt32());
                values[its] = new Variant(shown);
                if (counter.IsError)
                    error = unchecked(error + shown);
                else
                    information = unchecked(information + shown);
            }

            values[$"{key}/TotalInformation"] = new Variant(information);
            values[$"{key}/TotalError"] = new Variant(error);
            var owner = key[..key.LastIndexOf('/')];
            values[$"{key}/SubError"] = new Variant(
                values.GetValueOrDefault($"{owner}/Status/State").AsInt32() == (int)PubSubState.Error);
        }
    }

    /// <param name="key">Of the diagnostics object.</param>
    /// <param name="values">As they are.</param>
    public void Reset(string key, IReadOnlyDictionary<string, Variant> values)
    {
        foreach (var counter in Objects.GetValueOrDefault(key)?.Counters ?? [])
            _resetAt[KeyOf(key, counter)] = values.GetValueOrDefault(KeyOf(key, counter)).AsUInt32();
    }

    /// <summary>Parts that have gone.</summary>
    public void Forget()
    {
        var known = Objects.SelectMany(static one => one.Value.Counters.Select(counter => KeyOf(one.Key, counter)))
            .ToHashSet(StringComparer.Ordinal);
        foreach (var gone in _resetAt.Keys.Where(key => !known.Contains(key)))
            _resetAt.TryRemove(gone, out _);
    }

    /// <summary>A counter below the value that it was reset at has begun anew, with its part.</summary>
    private uint SinceReset(string its, uint count)
    {
        if (!_resetAt.TryGetValue(its, out var at) || count >= at)
            return count - at;
        _resetAt.TryRemove(its, out _);
        return count;
    }

    public static string KeyOf(string key, DiagnosticsCounter counter) => $"{key}/Counters/{counter.Name}";
}
