using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Tests.Clients;

public sealed class ConnectAttemptTests
{
    [Fact]
    public void Plain_DifferentHints_EqualTexts() =>
        Assert.Equal(ConnectAttempt.Plain("busy RetryAfterMs=1"), ConnectAttempt.Plain("busy RetryAfterMs=2345"));
}
