namespace Gateway.Publish.Tests.Model;

/// <summary>An item with a sampling interval, as Part 4 §5.13.1.2 tells it: of the changes of one sampling period the
/// newest. An item that is sampled at least as often as its subscription publishes has what is there at a sweep sent
/// with it, although the period is not over. Milliseconds.</summary>
internal sealed class ModelSampledItem(
    ModelItem item, double samplingMs, double publishingMs, double originMs)
{
    private List<(double Time, double Value)> _changes = [];

    public uint Id => item.Id;

    public uint Node => item.Node;

    public void Change(double time, double value)
    {
        if (samplingMs == 0)
            item.Change(value);
        else
            _changes.Add((time, value));
    }

    public List<(double Value, bool Overflow)> Sweep(double now)
    {
        foreach (var period in _changes.GroupBy(change => EndOfPeriod(change.Time)))
        {
            if (samplingMs <= publishingMs || period.Key <= now)
                item.Change(period.Last().Value);
        }

        _changes = samplingMs <= publishingMs ? [] : [.. _changes.Where(c => EndOfPeriod(c.Time) > now)];
        List<(double, bool)> sent = [.. item.Queue];
        item.Queue.Clear();
        return sent;
    }

    private double EndOfPeriod(double time) =>
        originMs + (Math.Ceiling((time - originMs) / samplingMs) * samplingMs);
}
