using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Events.Filters;
using Gateway.Events.Model;

namespace Gateway.Events.Delivery;

/// <summary>Encodes the fields that a filter selects of an event. Thread-safe; its lock is a leaf but for the store's
/// pool.</summary>
internal sealed class FieldEncoder(ValueStore store) : IDisposable
{
    /// <summary>A larger field of an event gives Bad_EncodingLimitsExceeded in its place.</summary>
    private const int MaxFieldBytes = 64 * 1024;

    private readonly Lock _lock = new();
    private readonly PooledBuffer _scratch = new(0);

    /// <summary>The Variant that holds the fields; the caller's.</summary>
    public SharedValue Encode(CompiledFilter filter, EventRecord record)
    {
        var steps = int.MaxValue;
        return TryEncode(filter, record, ref steps)!;
    }

    /// <summary>The same, within a bound of work: null where it was ended.</summary>
    /// <param name="filter">Selects.</param>
    /// <param name="record">The event.</param>
    /// <param name="steps">See <see cref="CompiledFilter.TryWriteFields"/>.</param>
    public SharedValue? TryEncode(CompiledFilter filter, EventRecord record, ref int steps)
    {
        lock (_lock)
        {
            _scratch.Reset();
            var writer = new UaBinaryWriter(_scratch);
            var isWhole = filter.TryWriteFields(record, ref writer, MaxFieldBytes, ref steps);
            writer.Complete();
            var fields = isWhole
                ? store.MakeEncoded(_scratch.WrittenSpan, StatusCode.Good, default, default, 0)
                : null;
            _scratch.Reset();
            return fields;
        }
    }

    public void Dispose()
    {
        lock (_lock)
            _scratch.Dispose();
    }
}
