using System.Net;
using Gateway.Admission.Clients;

namespace Gateway.Server.Users;

/// <summary>One try to be a user, as <see cref="FailedLogins"/> accounts it.</summary>
internal readonly struct LoginAttempt
{
    /// <summary>Instead of a thumbprint: clients that admission knows share accounts apart from those of unknown
    /// clients.</summary>
    private const string Known = "known";

    private readonly IPAddress _address;
    private readonly int _user;
    private readonly string _client;
    private readonly bool _isKnown;

    /// <param name="user">As the peer names it: a name, or the thumbprint of a user certificate.</param>
    /// <param name="endPoint">The peer's endpoint.</param>
    /// <param name="client">Thumbprint of the channel's certificate; empty without one.</param>
    /// <param name="isKnownClient">The certificate's owner had an active session before, maybe before a restart:
    /// guesses of unknown clients do not delay it.</param>
    public LoginAttempt(string user, EndPoint? endPoint, string client = "", bool isKnownClient = false)
    {
        _address = AddressKey.Of(endPoint);
        Network = new LoginKey(0, AddressKey.NetworkOf(_address), "");
        _user = string.GetHashCode(user, StringComparison.Ordinal);
        _client = client;
        _isKnown = isKnownClient && client.Length > 0;
    }

    /// <summary>The user and the client's certificate, wherever it is; without one <see cref="OfAddress"/>.</summary>
    public LoginKey OfClient => _client.Length > 0 ? new(_user, IPAddress.None, _client) : OfAddress;

    public LoginKey OfAddress => new(_user, _address, "");

    /// <summary>The user and the try's source.</summary>
    public LoginKey OfSource => Source with { User = _user };

    /// <summary>The user, wherever it is tried.</summary>
    public LoginKey OfUser => new(_user, IPAddress.None, _isKnown ? Known : "");

    /// <summary>A known client is a source of its own, not one of its address.</summary>
    public LoginKey Source => _isKnown ? new(0, IPAddress.None, _client) : new(0, _address, "");

    /// <summary>Null for a known client: failures of its neighbours do not count against it.</summary>
    public LoginKey? NetworkOrNone => _isKnown ? null : Network;

    private LoginKey Network { get; }
}
