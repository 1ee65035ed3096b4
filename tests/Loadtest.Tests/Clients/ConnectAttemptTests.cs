using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Tests.Clients;

public sealed class ConnectAttemptTests
{
    [Theory]
    [InlineData("BadTcpServerTooBusy: the peer said BadTcpServerTooBusy: RetryAfterMs=1500", 1500)]
    [InlineData("RetryAfterMs=0; try later", 0)]
    public void HintIn_TextWithHint_Milliseconds(string text, int expected) =>
        Assert.Equal(expected, ConnectAttempt.HintIn(text)!.Value.TotalMilliseconds);

    [Theory]
    [InlineData("BadTimeout")]
    [InlineData("RetryAfterMs=")]
    [InlineData("RetryAfterMs=99999999999")]
    public void HintIn_NoUsableHint_Null(string text) =>
        Assert.Null(ConnectAttempt.HintIn(text));

    [Fact]
    public void Plain_DifferentHints_EqualTexts() =>
        Assert.Equal(ConnectAttempt.Plain("busy RetryAfterMs=1"), ConnectAttempt.Plain("busy RetryAfterMs=2345"));
}
