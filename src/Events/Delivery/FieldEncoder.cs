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
        lock (_lock)
        {
            _scratch.Reset();
            var writer = new UaBinaryWriter(_scratch);
            filter.WriteFields(record, ref writer, MaxFieldBytes);
            writer.Complete();
            var fields = store.MakeEncoded(_scratch.WrittenSpan, StatusCode.Good, default, default, 0);
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
