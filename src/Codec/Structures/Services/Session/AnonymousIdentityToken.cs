namespace Gateway.Codec.Structures;

[Structure(319, 321)]
public sealed partial class AnonymousIdentityToken : UserIdentityToken;
