using Gateway.Codec.Structures;

namespace Gateway.PubSub.Options;

/// <summary>A group whose messages may be sealed.</summary>
internal interface ISealedGroup
{
    MessageSecurityMode Security { get; }

    string KeysPath { get; }

    string SecurityGroupId { get; }
}
