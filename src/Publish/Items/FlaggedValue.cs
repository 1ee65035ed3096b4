namespace Gateway.Publish.Items;

/// <summary>The rare entry of a queue of one that carries bits.</summary>
internal sealed class FlaggedValue(in QueuedValue entry)
{
    public readonly QueuedValue Entry = entry;
}
