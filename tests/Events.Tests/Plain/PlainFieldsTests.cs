using Gateway.Codec.Types;
using Gateway.Events.Plain;

namespace Gateway.Events.Tests.Plain;

public sealed class PlainFieldsTests
{
    [Theory]
    [InlineData("message", "message", "Message")]
    [InlineData("Message", "message", "Message")]
    [InlineData("EventId", "eventId", "EventId")]
    [InlineData("activeState/transitionTime", "activeState/transitionTime", "ActiveState/TransitionTime")]
    [InlineData("active", "active", "ActiveState/Id")]
    [InlineData("ActiveState/Id", "active", "ActiveState/Id")]
    [InlineData("acknowledged", "acknowledged", "AckedState/Id")]
    [InlineData("confirmed", "confirmed", "ConfirmedState/Id")]
    [InlineData("2:batch", "2:batch", "2:batch")]
    [InlineData("0:message", "message", "Message")]
    public void TryParse_Name_HasOnePathAndOneMember(string text, string member, string path)
    {
        Assert.True(PlainFields.TryParse(text, out var clause, out var name));
        Assert.Equal(member, name);
        Assert.Equal(path, string.Join('/', clause.BrowsePath!.Select(static one => one.ToString())));
        Assert.Equal((uint)AttributeId.Value, clause.AttributeId);
        Assert.Equal(new NodeId(StandardIds.ObjectTypes.BaseEventType), clause.TypeDefinitionId);
    }

    /// <summary>Source: Part 9 §5.5.2.</summary>
    [Fact]
    public void TryParse_Alarm_IsTheConditionId()
    {
        Assert.True(PlainFields.TryParse("alarm", out var clause, out var name));
        Assert.Equal("alarm", name);
        Assert.Null(clause.BrowsePath);
        Assert.Equal((uint)AttributeId.NodeId, clause.AttributeId);
        Assert.Equal(new NodeId(StandardIds.ObjectTypes.ConditionType), clause.TypeDefinitionId);
    }

    [Theory]
    [InlineData("")]
    [InlineData("a//b")]
    [InlineData("/a")]
    [InlineData("a/")]
    [InlineData(":a")]
    [InlineData("x:a")]
    [InlineData("2:")]
    [InlineData("70000:a")]
    public void TryParse_NoName_False(string text) => Assert.False(PlainFields.TryParse(text, out _, out _));

    [Fact]
    public void TryParse_TooLongOrTooDeep_False()
    {
        Assert.False(PlainFields.TryParse(new string('a', 513), out _, out _));
        Assert.False(PlainFields.TryParse(string.Join('/', Enumerable.Repeat("a", 33)), out _, out _));
        Assert.True(PlainFields.TryParse(string.Join('/', Enumerable.Repeat("a", 32)), out _, out _));
    }

    [Fact]
    public void Usual_Each_IsAName() => Assert.All(
        PlainFields.Usual,
        static field => Assert.True(PlainFields.TryParse(field, out _, out var name) && name == field));
}
