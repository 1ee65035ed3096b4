using System.Net.Sockets;
using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Sources.Upstream;
using Polly.Timeout;

namespace Gateway.Sources.Tests.Upstream;

public sealed class UpstreamFailureTests
{
    public static TheoryData<Exception, bool> OfThePeer => new()
    {
        { new ServiceException(StatusCodes.BadTcpServerTooBusy, "a\u001b[31m\r\nb" + new string('x', 5_000)), false },
        {
            new ServiceException(StatusCodes.BadSecurityChecksFailed, "no") { Fault = ConnectFault.EndpointMismatch },
            true
        },
        { new UpstreamBoundException(UpstreamBound.MaxUpstreamReferences, "too many"), true },
        { new TimeoutRejectedException("late"), false },
        { new SocketException(111), false },
        { new IOException("reset\nby peer"), false },
    };

    [Theory]
    [MemberData(nameof(OfThePeer))]
    public void Of_ThePeersFault_OneShortLineWithARemedyAndNoStackTrace(Exception exception, bool isRefusal)
    {
        var failure = UpstreamFailure.Of(Thrown(exception));
        Assert.Equal(isRefusal, failure.IsRefusal);
        Assert.DoesNotContain(failure.Text, char.IsControl);
        Assert.DoesNotContain("   at ", failure.Text, StringComparison.Ordinal);
        Assert.InRange(failure.Text.Length, 1, 250);
        Assert.NotEmpty(failure.Remedy);
    }

    [Fact]
    public void Of_OurOwnFault_WithItsStackTrace() => Assert.Contains(
        "   at ", UpstreamFailure.Of(Thrown(new InvalidOperationException("bug"))).Text, StringComparison.Ordinal);

    private static Exception Thrown(Exception exception)
    {
        try
        {
            throw exception;
        }
        catch (Exception caught)
        {
            return caught;
        }
    }
}
