using System.Text.Json;

namespace Gateway.Interop;

/// <summary>What watch.js counted.</summary>
internal sealed record WatchResult(
    int Items, int Silent, int Received, int Fewest, int Lost, int Repeated, int Backwards, int Bad, int Overflow,
    int Messages, int SequenceGaps, int Renewals, int Losses, int Restores, double WatchedMs, string Text)
{
    public static WatchResult From(JsonElement result) =>
        result.Deserialize<WatchResult>(JsonSerializerOptions.Web)! with { Text = result.ToString() };

    /// <summary>Every change of every item came once, in order and good.</summary>
    public void AssertNothingLostOrRepeated()
    {
        Assert.True(Silent == 0, Text);
        Assert.True(Lost == 0, Text);
        Assert.True(Repeated == 0, Text);
        Assert.True(Backwards == 0, Text);
        Assert.True(Bad == 0, Text);
        Assert.True(Overflow == 0, Text);
        Assert.True(SequenceGaps == 0, Text);
    }
}
