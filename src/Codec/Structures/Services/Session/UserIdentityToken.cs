namespace Gateway.Codec.Structures;

[Structure(316, 318)]
public partial class UserIdentityToken
{
    public string? PolicyId { get; init; }
}
