using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;

namespace Gateway.Operations.Attributes;

/// <summary>What is to be done for one Write: a result a value, and the accepted values in the request's order. One a
/// thread is kept, taken out of its place while in use; it keeps no value and at most
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

    /// <summary>No value has to wait for its source.</summary>
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

    /// <summary>Writes all, of a plan that is direct.</summary>
    public void Write()
    {
        foreach (ref readonly var planned in Writes)
            _results[planned.Index] = ((IDirectWriter)planned.Source).Write(planned.Write);
    }

    /// <summary>The plan must not be used any more.</summary>
    public void Return()
    {
        _writes.AsSpan(0, _writeCount).Clear();
        (_count, _writeCount) = (0, 0);
        if (_results.Length <= MaxKeptValues)
            t_kept = this;
    }
}
