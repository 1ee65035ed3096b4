using System.Net.Sockets;
using Gateway.Client;
using Gateway.Client.Discovery;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Polly.Timeout;

namespace Gateway.Sources.OpcUa.Health;

/// <summary>A failed connection in words: the text that an operator reads in the log and in <c>/api/v1/upstreams</c>,
/// and the remedy. Text of the peer is escaped and cut (R24); a stack trace is for faults of our own.</summary>
/// <param name="Text">The failure.</param>
/// <param name="Remedy">The remedy; empty where none is known.</param>
/// <param name="IsRefusal">The gateway refuses the upstream.</param>
internal sealed record UpstreamFailure(string Text, string Remedy, bool IsRefusal)
{
    private const int LongestOwnText = 1_000;

    /// <param name="exception">The exception that ended the attempt.</param>
    /// <param name="own">This gateway's certificate in words.</param>
    public static UpstreamFailure Of(Exception exception, string own) => exception switch
    {
        UpstreamBoundException bound => new(
            bound.Message, $"Raise Limits:{bound.Bound} if this server is to be trusted with more.", true),
        ServiceException { Fault: not ConnectFault.None } refused => new(
            OwnText(refused), RemedyOf(refused, own), true),
        ServiceException service => new(PeerText.Escape(service.Message), RemedyOf(service.Status, own), false),
        TimeoutRejectedException or TimeoutException => new("it does not answer in time", Reach, false),
        SocketException or IOException => new(PeerText.Escape(exception.Message), Reach, false),
        _ => new(exception.ToString(), "This is a fault of the gateway: please report it.", false),
    };

    private const string Reach = "Check EndpointUrl, the network and that the server runs.";

    /// <summary>The detail of a certificate's verdict is long, and its peer's text is escaped already.</summary>
    private static string OwnText(ServiceException exception) =>
        exception.Fault is ConnectFault.ServerCertificate
            ? PeerText.EscapeLine(exception.Message, LongestOwnText)
            : PeerText.EscapeLine(exception.Message);

    private static string RemedyOf(ServiceException refused, string own) => refused.Fault switch
    {
        ConnectFault.NoFittingEndpoint when refused.Offered is { } offered => RemedyOf(offered),
        ConnectFault.NoFittingEndpoint =>
            "Switch on SignAndEncrypt with a policy of today on the server. To connect weaker, say so in the " +
            "configuration of this upstream: SecurityMode=Sign, or SecurityPolicy=None.",
        ConnectFault.ServerCertificate =>
            (refused.Status == StatusCodes.BadCertificateUntrusted
                ? "If it is the server's own, move its file from rejected/certs to trusted/certs of the PKI folder."
                : "Do what the failed check asks for.") +
            $" The server has to trust this gateway as well: {own}.",
        ConnectFault.EndpointMismatch =>
            "Somebody between the gateway and the server may change what the server offers. Compare its " +
            "GetEndpoints, asked on the spot, with its CreateSession.",
        ConnectFault.CredentialsUnprotected =>
            "Configure a SecurityPolicy other than None and SecurityMode=SignAndEncrypt for this upstream, or leave " +
            "User out. Only if anybody may have the password: AllowInsecurePassword=true.",
        ConnectFault.OtherServer =>
            "Look which server this is. If it is the right one, set ServerUri of this upstream to its ApplicationUri.",
        ConnectFault.NotListening =>
            "Restart the gateway: ReverseConnect:Port takes effect at a start.",
        _ => "Look at the server: it offers more endpoints than any honest one.",
    };

    /// <summary>Nothing weaker is needed.</summary>
    private static string RemedyOf(OfferedSecurity offered)
    {
        var offers = $"The server offers {string.Join(", ", offered.Policies)} with {offered.Mode}";
        if (!offered.IsAsAskedFor)
            return offers + "; leave SecurityPolicy and SecurityMode out.";
        var choose = offered.Policies.Count == 1 ? "choose it" : "choose one of them";
        return $"{offers}; {choose} as SecurityPolicy, or leave SecurityPolicy out.";
    }

    private static string RemedyOf(StatusCode status, string own) => status.CodeBits switch
    {
        StatusCodes.BadSecurityChecksFailed or StatusCodes.BadCertificateUntrusted
            or StatusCodes.BadCertificateInvalid or StatusCodes.BadCertificateChainIncomplete
            or StatusCodes.BadCertificateRevocationUnknown or StatusCodes.BadCertificatePolicyCheckFailed
            or StatusCodes.BadCertificateUseNotAllowed or StatusCodes.BadCertificateUriInvalid
            or StatusCodes.BadCertificateTimeInvalid =>
            $"The server does not trust this gateway yet. Trust is needed on both sides: put {own}, among the " +
            "trusted certificates of the server. Most servers have kept it among the rejected ones by now, to be " +
            "trusted there: by a click, or by moving the file from rejected/certs to trusted/certs.",
        StatusCodes.BadIdentityTokenRejected or StatusCodes.BadIdentityTokenInvalid
            or StatusCodes.BadUserAccessDenied => "Check User and Password of this upstream.",
        StatusCodes.BadServerTooBusy or StatusCodes.BadTcpServerTooBusy or StatusCodes.BadTooManySessions =>
            "The server has no room: look at its limits and at who else is connected.",
        _ => Reach,
    };
}
