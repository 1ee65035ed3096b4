using Gateway.Operations.Access;

namespace Gateway.Rest.Access;

/// <summary>Ends streams and calls that wait when their caller's token expires, or trust in his certificate ends (R31).
/// </summary>
internal static class CallerTime
{
    /// <summary>A timer takes no more.</summary>
    private static readonly TimeSpan LongestTimer = TimeSpan.FromDays(49);

    /// <summary>Told to the client at the end.</summary>
    public static string SentenceOf(Caller caller) => caller.Identity switch
    {
        { Certificate.IsRefused: true } => "The certificate of the user is no longer trusted",
        { IsRefused: true } => "The configuration of the user has changed",
        _ => "The token has expired",
    };

    /// <summary>Cancelled when the caller is no longer who he is; never for users without an end. The caller disposes
    /// it.</summary>
    public static CancellationTokenSource EndOf(Caller caller, TimeProvider time)
    {
        var left = caller.Identity?.TimeLeft(time) ?? Timeout.InfiniteTimeSpan;
        if (left > LongestTimer)
            left = Timeout.InfiniteTimeSpan;
        return caller.Identity is { } user && (user.Certificate ?? user.Grant) is not null
            ? new GrantEnd(user, left, time)
            : new CancellationTokenSource(left, time);
    }

    /// <summary>Leaves nothing at the certificate and the configuration, which live longer.</summary>
    private sealed class GrantEnd : CancellationTokenSource
    {
        private readonly CancellationTokenRegistration _distrusted;
        private readonly CancellationTokenRegistration _refused;

        public GrantEnd(UserIdentity user, TimeSpan left, TimeProvider time)
            : base(left, time)
        {
            _distrusted = Register(user.Certificate);
            _refused = Register(user.Grant);
        }

        private CancellationTokenRegistration Register(UserGrant? grant) =>
            grant?.Refused.UnsafeRegister(static end => ((GrantEnd)end!).Cancel(), this) ?? default;

        protected override void Dispose(bool disposing)
        {
            _distrusted.Dispose();
            _refused.Dispose();
            base.Dispose(disposing);
        }
    }
}
