namespace Gateway.PubSub.KeyServices;

/// <summary>Why a Security Key Service gave no keys.</summary>
public enum KeyServiceProblem
{
    /// <summary>Nothing answers there, or not in time.</summary>
    Unreachable,

    /// <summary>No channel or session: its certificate, its endpoints (without SignAndEncrypt there is none), or it
    /// refuses the gateway's certificate or user.</summary>
    Untrusted,

    /// <summary>It does not let this user have the keys of the group.</summary>
    Denied,

    /// <summary>It has no such SecurityGroup, or is no Security Key Service.</summary>
    NotFound,

    /// <summary>Its answer holds no keys that can be used.</summary>
    WrongAnswer,
}
