using Gateway.Codec.Types;
using Gateway.Loadtest.Scenarios.Events;

namespace Gateway.Loadtest.Tests.Scenarios.Events;

public sealed class EventItemTests
{
    /// <summary>A gateway that was late for a moment tells so, by an alarm of the same type.</summary>
    [Theory]
    [InlineData("Line 7", true)]
    [InlineData("Gateway", false)]
    [InlineData(null, false)]
    public void IsOfPlant_SourceOfAnAlarm_LinesAlone(string? source, bool expected)
    {
        var fields = new Variant[EventItem.FieldCount];
        fields[EventItem.SourceName] = source is null ? default : new Variant(source);

        Assert.Equal(expected, EventItem.IsOfPlant(fields));
    }
}
