using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;

namespace Gateway.Operations.Attributes;

/// <summary>The plan of one Write: a result for each value, and the accepted values in the request's order. Each thread
/// keeps one plan and takes it out while it is in use. A kept plan holds no values and at most
/// <see cref="MaxKeptValues"/> places.</summary>
public sealed class WritePlan
{
    private const int MaxKeptValues = 256;

    [ThreadStatic]
    private static WritePlan? t_kept;

    private StatusCode[] _results = [];
    private PlannedWrite[] _writes = [];
    private int _count;
    private int _writeCount;

    /// <summary>Good for the accepted values until they are written.</summary>
    public Span<StatusCode> Results => _results.AsSpan(0, _count);

    public ReadOnlySpan<PlannedWrite> Writes => _writes.AsSpan(0, _writeCount);

    /// <summary>No value must wait for its source.</summary>
    public bool IsDirect { get; private set; }

    public static WritePlan Take(int count)
    {
        var plan = t_kept ?? new WritePlan();
        t_kept = null;
        if (plan._results.Length < count)
        {
            plan._results = new StatusCode[count];
            plan._writes = new PlannedWrite[count];
        }

        plan._count = count;
        plan.IsDirect = true;
        return plan;
    }

    public void Accept(int index, INodeSource source, in SourceWrite write)
    {
        _writes[_writeCount++] = new PlannedWrite(index, source, write);
        IsDirect &= source is IDirectWriter;
    }

    /// <summary>Writes all values. Only for a direct plan.</summary>
    public void Write()
    {
        foreach (ref readonly var planned in Writes)
            _results[planned.Index] = ((IDirectWriter)planned.Source).Write(planned.Write);
    }

    /// <summary>The plan must not be used afterwards.</summary>
    public void Return()
    {
        _writes.AsSpan(0, _writeCount).Clear();
        (_count, _writeCount) = (0, 0);
        if (_results.Length <= MaxKeptValues)
            t_kept = this;
    }
}
