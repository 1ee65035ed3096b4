using Gateway.Codec.Types;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Tags dealt to subscriptions: from a first number on, starting again at the end.</summary>
internal static class TagSlice
{
    public static NodeId[] Of(NodeId[] tags, long first, int count)
    {
        var slice = new NodeId[count];
        for (var i = 0; i < count; i++)
            slice[i] = tags[(int)((first + i) % tags.Length)];
        return slice;
    }
}
