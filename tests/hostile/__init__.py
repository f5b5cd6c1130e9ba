"""What the tests of attacks, crashes and races share."""
