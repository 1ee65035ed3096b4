using System.Net.Sockets;
using Gateway.Client;
using Gateway.Client.Discovery;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;
using Gateway.Transport.Certificates;
using Microsoft.Extensions.Logging.Abstractions;
using Polly.Timeout;

namespace Gateway.Sources.OpcUa.Tests.Health;

public sealed class UpstreamFailureTests
{
    private const string Own = "\"CN=us\" (thumbprint 00), the file /pki/own/certs/us.der";

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
        var failure = UpstreamFailure.Of(Thrown(exception), Own);
        Assert.Equal(isRefusal, failure.IsRefusal);
        Assert.DoesNotContain(failure.Text, char.IsControl);
        Assert.DoesNotContain("   at ", failure.Text, StringComparison.Ordinal);
        Assert.InRange(failure.Text.Length, 1, 250);
        Assert.NotEmpty(failure.Remedy);
    }

    /// <summary>An upstream needs trust in both directions: its operator is told what to put where.</summary>
    [Theory]
    [InlineData(StatusCodes.BadSecurityChecksFailed, ConnectFault.None)]
    [InlineData(StatusCodes.BadCertificateUntrusted, ConnectFault.None)]
    [InlineData(StatusCodes.BadCertificateUriInvalid, ConnectFault.None)]
    [InlineData(StatusCodes.BadCertificateUntrusted, ConnectFault.ServerCertificate)]
    public void Of_ARefusedCertificate_TheRemedyNamesOurs(uint status, ConnectFault fault)
    {
        var failure = UpstreamFailure.Of(new ServiceException(status, "no") { Fault = fault }, Own);

        Assert.Contains(Own, failure.Remedy, StringComparison.Ordinal);
        Assert.Contains("trusted/certs", failure.Remedy, StringComparison.Ordinal);
    }

    /// <summary>A wrong choice of policy is no reason to connect weaker.</summary>
    [Fact]
    public void Of_AnotherPolicyOffered_TheRemedyNamesItAndNothingWeaker()
    {
        var remedy = RemedyOf(new OfferedSecurity(
            MessageSecurityMode.SignAndEncrypt, ["Aes256_Sha256_RsaPss"], IsAsAskedFor: true));

        Assert.Equal(
            "The server offers Aes256_Sha256_RsaPss with SignAndEncrypt; choose it as SecurityPolicy, or leave "
            + "SecurityPolicy out.",
            remedy);
    }

    [Fact]
    public void Of_OnlyMoreSecureOffered_TheRemedyIsToAskForNothing() => Assert.EndsWith(
        "leave SecurityPolicy and SecurityMode out.",
        RemedyOf(new OfferedSecurity(MessageSecurityMode.SignAndEncrypt, ["Basic256Sha256"], IsAsAskedFor: false)),
        StringComparison.Ordinal);

    [Fact]
    public void Of_OnlyWeakerOffered_TheRemedyIsTheServersFirst() => Assert.StartsWith(
        "Switch on SignAndEncrypt", RemedyOf(null), StringComparison.Ordinal);

    private static string RemedyOf(OfferedSecurity? offered) => UpstreamFailure.Of(
        new ServiceException(StatusCodes.BadSecurityPolicyRejected, "no")
        {
            Fault = ConnectFault.NoFittingEndpoint,
            Offered = offered,
        },
        Own).Remedy;

    [Fact]
    public async Task InWords_CertificateOfTheStore_SubjectThumbprintUriAndFile()
    {
        var folder = Directory.CreateTempSubdirectory("gateway-").FullName;
        try
        {
            await using var pki = new PkiStore(folder, TimeProvider.System, NullLoggerFactory.Instance, 200);
            using var certificate = Made(pki);
            var words = OpcUaDriver.InWords(certificate);

            Assert.Contains(certificate.Certificate.Subject, words, StringComparison.Ordinal);
            Assert.Contains(certificate.Thumbprint, words, StringComparison.Ordinal);
            Assert.Contains("urn:test:gateway", words, StringComparison.Ordinal);
            Assert.Contains(Assert.Single(Directory.GetFiles(Path.Combine(folder, "own", "certs"))), words,
                StringComparison.Ordinal);
            using var again = Made(pki);
            Assert.Equal(words, OpcUaDriver.InWords(again));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static ApplicationCertificate Made(PkiStore pki) =>
        new ApplicationCertificateStore(pki).LoadOrCreate(new ApplicationCertificateOptions
        {
            ApplicationUri = "urn:test:gateway",
            ApplicationName = "Gateway",
        });

    [Fact]
    public void Of_OurOwnFault_WithItsStackTrace() => Assert.Contains(
        "   at ", UpstreamFailure.Of(Thrown(new InvalidOperationException("bug")), Own).Text, StringComparison.Ordinal);

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
