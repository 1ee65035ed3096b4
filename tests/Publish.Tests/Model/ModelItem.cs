namespace Gateway.Publish.Tests.Model;

/// <summary>A monitored item as Part 4 §5.13.1.5 tells it, without a thought for speed.</summary>
internal sealed class ModelItem(uint id, uint node, int size, bool discardOldest)
{
    public uint Id => id;

    public uint Node => node;

    public List<(double Value, bool Overflow)> Queue { get; } = [];

    private double? Last { get; set; }

    public bool Change(double value)
    {
        if (Last == value)
            return false;
        Last = value;
        if (Queue.Count < size)
        {
            Queue.Add((value, false));
        }
        else if (size == 1)
        {
            Queue[0] = (value, false);
        }
        else if (discardOldest)
        {
            Queue.RemoveAt(0);
            Queue[0] = (Queue[0].Value, true);
            Queue.Add((value, false));
        }
        else
        {
            Queue[^1] = (value, true);
        }

        return true;
    }
}
