using Gateway.Operations.Access;

namespace Gateway.Rest.Access;

/// <summary>Ends streams and calls that wait when their caller's token expires, or trust in his certificate ends (R31).
/// </summary>
internal static class CallerTime
{
    /// <summary>A timer takes no more.</summary>
    private static readonly TimeSpan LongestTimer = TimeSpan.FromDays(49);

    /// <summary>Told to the client at the end.</summary>
    public static string SentenceOf(Caller caller) => caller.Identity?.IsRefused == true
        ? "The certificate of the user is no longer trusted"
        : "The token has expired";

    /// <summary>Cancelled when the caller is no longer who he is; never for users without an end. The caller disposes
    /// it.</summary>
    public static CancellationTokenSource EndOf(Caller caller, TimeProvider time)
    {
        var left = caller.Identity?.TimeLeft(time) ?? Timeout.InfiniteTimeSpan;
        if (left > LongestTimer)
            left = Timeout.InfiniteTimeSpan;
        return caller.Identity?.Certificate is { } certificate
            ? new CertificateEnd(certificate, left, time)
            : new CancellationTokenSource(left, time);
    }

    /// <summary>Leaves nothing at the certificate, which lives longer.</summary>
    private sealed class CertificateEnd : CancellationTokenSource
    {
        private readonly CancellationTokenRegistration _refused;

        public CertificateEnd(UserCertificate certificate, TimeSpan left, TimeProvider time)
            : base(left, time) =>
            _refused = certificate.Refused.UnsafeRegister(static end => ((CertificateEnd)end!).Cancel(), this);

        protected override void Dispose(bool disposing)
        {
            _refused.Dispose();
            base.Dispose(disposing);
        }
    }
}
